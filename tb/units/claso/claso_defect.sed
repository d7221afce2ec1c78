# A global credit of the core's pool is missing, and a block of four goes out all the same.
# at: CTA_W > 2
s/owned >= 3'd4 && usable >= 4'd4/owned >= 3'd4 \&\& usable >= 4'd3/
