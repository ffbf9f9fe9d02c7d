"""For each check what makes a healthy pod pass it, and the one change of its facts that makes it fail."""
