"""The burnqed command line."""
