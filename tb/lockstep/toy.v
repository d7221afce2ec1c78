// toy - an array whose elements' inputs depend on a register and on an input together, for toy.sh: after a clock edge they may
// have values that the next inputs take back.

`default_nettype none

module toy (
    input  wire        clk,
    input  wire        rst_i,
    input  wire        turn_i,
    input  wire [63:0] choice_i,
    output reg  [63:0] counts_o
);

    reg turned_q;
    always @(posedge clk) turned_q <= !rst_i && (turned_q ^ turn_i);

    genvar k;
    generate
        for (k = 0; k < 16; k = k + 1) begin : g_element
            wire [3:0] count;
            always @* counts_o[4*k +: 4] = count;
            toy_element u_element (
                .clk(clk),
                .rst_i(rst_i),
                .bits_i(choice_i[4*k +: 4] ^ {4{turned_q}}),
                .count_o(count)
            );
        end
    endgenerate

endmodule

// Counts the ones that it has got.
module toy_element (
    input  wire       clk,
    input  wire       rst_i,
    input  wire [3:0] bits_i,
    output wire [3:0] count_o
);

    reg [3:0] more;
    integer   k;
    always @* begin
        more = 4'd0;
        for (k = 0; k < 4; k = k + 1) more = more + {3'd0, bits_i[k]};
    end

    reg [3:0] count_q;
    always @(posedge clk) count_q <= rst_i ? 4'd0 : count_q + more;
    assign count_o = count_q;

endmodule

`default_nettype wire
