"""The demo household: a believable story told through the real services, and bulk rows for scale."""
