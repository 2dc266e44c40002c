"""Setting up rented machines, and recipes for services that rent them."""
