"""The English grammar of time words."""
