"""Families of theorems: each module makes drafts of one kind from a random stream."""
