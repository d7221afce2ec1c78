// What is to be reached, as an assertion that it never is: AIGER knows bad states only.
module \$cover (
    input A,
    input EN
);
    \$assert _TECHMAP_REPLACE_ (
        .A(!A),
        .EN(EN)
    );
endmodule
