"""The whole lossless chain, hop by hop."""
