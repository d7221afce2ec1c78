// reset_bench - reset_sync between clock edges, where no proof looks: its style is ASYNC, its flip-flops STAGES.
// At each odd time of a cycle rst_ni falls, stays low for up to 2.5 cycles, and rises. Clock edges are at even times: what
// a change of rst_ni at an edge does to the first flip-flop is what the others are for, and no simulation shows it.

`default_nettype none
`timescale 1ns / 1ns

module reset_bench #(
    parameter integer ASYNC  = 0,
    parameter integer STAGES = 2
);
    reg  clk     = 1'b0;
    reg  running = 1'b0;
    reg  rst_ni  = 1'b1;
    wire rst_o;

    reset_sync #(
        .ASYNC  (ASYNC),
        .STAGES (STAGES)
    ) u_reset (
        .clk    (clk),
        .rst_ni (rst_ni),
        .rst_o  (rst_o)
    );

    integer checks = 0;
    integer failed = 0;
    integer pulsed = 0;
    integer edge_at;    // time of the last rising edge of clk
    integer met;        // edges while rst_ni is low
    integer edges;      // edges since it has risen
    integer rises;      // of rst_o since the pulse has begun
    integer falls;
    integer start, width, at;

    always #10 if (running) clk = !clk;
    always @(posedge clk) begin
        edge_at = $time;
        if (rst_ni) edges = edges + 1;
        else met = met + 1;
    end
    always @(posedge rst_o) rises = rises + 1;
    always @(negedge rst_o) begin
        falls = falls + 1;
        check($time == edge_at, "it falls at a rising edge of clk");
    end

    task check(input holds, input [48*8-1:0] text);
        begin
            checks = checks + 1;
            if (holds !== 1'b1) begin
                failed = failed + 1;
                if (failed <= 5) $display("FAIL at %0d, rst_ni low at %0d for %0d: not so: %0s", $time, start, width, text);
            end
        end
    endtask

    task pulse;
        begin
            met    = 0;
            edges  = 0;
            rises  = 0;
            falls  = 0;
            rst_ni = 1'b0;
            for (at = 0; at < width; at = at + 1) begin
                #1;
                if (ASYNC == 1) check(rst_o === 1'b1, "it rises at once, and stays");
                else check(rst_o === (met > 0), "it rises with the first edge");
                #1;
            end
            rst_ni = 1'b1;
            for (at = 0; at < 60; at = at + 1) begin
                #1;
                if (ASYNC == 1) check(rst_o === (edges < STAGES), "it stays for STAGES edges");
                else check(rst_o === (met > 0 && edges == 0), "it stays until the next edge");
                #1;
            end
            check(rises == falls && rises == ((ASYNC == 1 || met > 0) ? 1 : 0), "it rises and falls once");
            pulsed = pulsed + rises;
        end
    endtask

    initial begin
        start = 0;
        width = 0;
        // Without a clock.
        #1;
        check(rst_o === 1'bx, "nothing is known at power-up");
        rst_ni = 1'b0;
        #2;
        check(rst_o === ((ASYNC == 1) ? 1'b1 : 1'bx), "it rises without a clock");
        rst_ni = 1'b1;
        #2;
        check(rst_o === ((ASYNC == 1) ? 1'b1 : 1'bx), "it does not fall without a clock");
        running = 1'b1;
        #196;
        for (start = 1; start < 20; start = start + 2) begin
            for (width = 1; width < 25; width = width + 1) begin
                while ($time % 20 != start) #1;
                pulse;
            end
        end
        if (failed == 0) $display("PASS reset_sync ASYNC=%0d STAGES=%0d: %0d pulses, %0d checks", ASYNC, STAGES, pulsed, checks);
        else $display("FAIL reset_sync ASYNC=%0d STAGES=%0d: %0d of %0d checks", ASYNC, STAGES, failed, checks);
        $finish;
    end
endmodule

`default_nettype wire
