"""What runs inside Snakemake's own process: the driver's lock and the progress display."""
