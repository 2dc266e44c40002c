"""What a run stores, as typed records with their only readers and writers."""
