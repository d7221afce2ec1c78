# A core with one free credit left is allowed a block of two without a global credit.
s/assign second_free\[g\] = first_free\[g\] && .*/assign second_free[g] = first_free[g];/
