"""Linux: what the kernel and its standard tools tell, without any vendor's software."""
