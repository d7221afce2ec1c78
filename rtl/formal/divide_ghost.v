// divide_ghost - whether a division under way is right: the bits used so far are quotient * divisor + remainder, and
// those not used yet stand above the quotient; for proofs, of what divides by steps.
//
// Ports: number_i is what is divided, held_i the register that it is used up in, of WIDTH bits, used_i how many of its
// bits are used.
//   rest_o      what is not used yet is there
//   division_o  what is used is divided
//   whole_o     held * divisor + remainder: the number, when all is used

`default_nettype none

module divide_ghost #(
    parameter integer WIDTH = 20,
    parameter integer W     = WIDTH + 2  // holds the numbers
) (
    input  wire [W-1:0]   number_i,
    input  wire [W-1:0]   held_i,
    input  wire [W-1:0]   remainder_i,
    input  wire [W-1:0]   divisor_i,
    input  wire [W-1:0]   used_i,
    output wire           rest_o,
    output wire           division_o,
    output wire [2*W-1:0] whole_o
);

    wire [W-1:0] fresh    = WIDTH - used_i;
    wire [W-1:0] quotient = held_i & ((1 << used_i) - 1);

    assign rest_o     = held_i >> used_i == (number_i & ((1 << fresh) - 1));
    assign division_o = number_i >> fresh == quotient * divisor_i + remainder_i;
    assign whole_o    = held_i * divisor_i + remainder_i;

endmodule

`default_nettype wire
