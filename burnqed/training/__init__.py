"""Training of the policy: tokenizer, base model, supervised fine-tuning, merging."""
