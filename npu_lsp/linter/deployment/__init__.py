"""Files that belong together by their own references and folders, asked together."""
