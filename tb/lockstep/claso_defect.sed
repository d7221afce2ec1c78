# A core with one free credit left is allowed a block of two without a global credit.
s/second_free\[c\] *= .*/second_free[c] = first_free[c];/
