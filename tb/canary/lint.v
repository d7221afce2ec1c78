// What Verilator and Icarus must find: a width that does not fit, a net without a declaration.
module lint(input wire [7:0] a_i, output wire [3:0] b_o);
    assign b_o = a_i;
    assign undeclared = a_i[0];
endmodule
