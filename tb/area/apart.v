// apart - memories of the design that are apart in the area, by the rule of memories.awk: for techmap, in whose place
// a module without content stands.
module \$mem_v2 (RD_CLK, RD_EN, RD_ARST, RD_SRST, RD_ADDR, RD_DATA, WR_CLK, WR_EN, WR_ADDR, WR_DATA);
    parameter MEMID = "";
    parameter signed SIZE = 4;
    parameter signed OFFSET = 0;
    parameter signed ABITS = 2;
    parameter signed WIDTH = 8;
    parameter INIT = 1'bx;
    parameter signed RD_PORTS = 1;
    parameter RD_CLK_ENABLE = 1'b1;
    parameter RD_CLK_POLARITY = 1'b1;
    parameter RD_TRANSPARENCY_MASK = 1'b0;
    parameter RD_COLLISION_X_MASK = 1'b0;
    parameter RD_WIDE_CONTINUATION = 1'b0;
    parameter RD_CE_OVER_SRST = 1'b0;
    parameter RD_ARST_VALUE = 1'b0;
    parameter RD_SRST_VALUE = 1'b0;
    parameter RD_INIT_VALUE = 1'b0;
    parameter signed WR_PORTS = 1;
    parameter WR_CLK_ENABLE = 1'b1;
    parameter WR_CLK_POLARITY = 1'b1;
    parameter WR_PRIORITY_MASK = 1'b0;
    parameter WR_WIDE_CONTINUATION = 1'b0;

    input  [RD_PORTS-1:0]       RD_CLK, RD_EN, RD_ARST, RD_SRST;
    input  [RD_PORTS*ABITS-1:0] RD_ADDR;
    output [RD_PORTS*WIDTH-1:0] RD_DATA;
    input  [WR_PORTS-1:0]       WR_CLK;
    input  [WR_PORTS*WIDTH-1:0] WR_EN;
    input  [WR_PORTS*ABITS-1:0] WR_ADDR;
    input  [WR_PORTS*WIDTH-1:0] WR_DATA;

    generate
        if (SIZE < 16 || RD_PORTS > 4 || WR_PORTS > 2)
            wire _TECHMAP_FAIL_ = 1'b1;
    endgenerate

    apart #(
        .R(RD_PORTS * ABITS),
        .D(RD_PORTS * WIDTH),
        .A(WR_PORTS * ABITS),
        .W(WR_PORTS * WIDTH)
    ) u_apart (
        .read   (RD_ADDR),
        .data   (RD_DATA),
        .enable (WR_EN),
        .write  (WR_ADDR),
        .value  (WR_DATA)
    );
endmodule
