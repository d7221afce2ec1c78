// apart_box - what stands in the place of a memory that is apart: no content.
(* blackbox, keep *)
module apart #(
    parameter integer R = 1,
    parameter integer D = 1,
    parameter integer A = 1,
    parameter integer W = 1
) (
    input  [R-1:0] read,
    output [D-1:0] data,
    input  [W-1:0] enable,
    input  [A-1:0] write,
    input  [W-1:0] value
);
endmodule
