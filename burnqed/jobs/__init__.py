"""What every long job shares."""
