"""What rules are made of and run by: context, findings, fixes, suppressions. Knows no rule."""
