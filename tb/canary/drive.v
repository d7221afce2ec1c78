// What Yosys must find: two drivers.
module drive(input wire a_i, input wire b_i, output wire c_o);
    assign c_o = a_i;
    assign c_o = b_i;
endmodule
