// replay_transactions - replays a file of transactions on any unit, whatever its latency.
// `gpusched-unit ports UNIT --format=bench --transactions` connects the unit.
//
// +vectors=FILE names the file; docs/conformance.md describes it and the rules. +rest=N is how
// many cycles an offer has after its last transfer, in which nothing may be transferred that is
// not expected; 2000 if not given. "PASS" is printed only if each channel has transferred what
// the file says, in its order. At the first transfer that differs, is missing or is too much,
// the bench says so and the run ends with $stop. It needs replay.v beside it.
//
// in and out hold the ports one above the other, as the file's header says. Registers are not
// compared.

`default_nettype none

module replay_transactions #(
    parameter integer IN_W       = 1,
    parameter integer OUT_W      = 1,
    parameter integer REG_W      = 1,
    parameter integer CHECK_REGS = 0
) (
    output reg              clk,
    output reg              rst,
    output reg  [IN_W-1:0]  in,
    input  wire [OUT_W-1:0] out,
    input  wire [REG_W-1:0] regs,
    output reg  [OUT_W-1:0] want_out,
    output reg  [REG_W-1:0] want_regs,
    output reg  [31:0]      cycle,
    output reg              differs
);

    localparam integer CHANNELS = 8;
    localparam integer MOST     = 4096;   // transfers of a step
    localparam integer LIMIT    = 10000;  // cycles without one that is expected
    localparam integer QUIET    = 32;     // cycles after levels
    localparam integer DATA_W   = (IN_W > OUT_W ? IN_W : OUT_W) + 32;

    reg [8*512-1:0]  name;
    reg [8*64-1:0]   word;    // a line of the file
    reg [31:0]       number;
    reg [DATA_W-1:0] data;
    reg              failed;
    integer          file;
    integer          rest;

    reg [8*64-1:0]  channel_name[0:CHANNELS-1];
    reg             is_out      [0:CHANNELS-1];
    reg [31:0]      valid_at    [0:CHANNELS-1];
    reg [31:0]      ready_at    [0:CHANNELS-1];
    reg [OUT_W-1:0] mask        [0:CHANNELS-1];
    reg [31:0]      transfers   [0:CHANNELS-1];
    integer         n_channel;

    // The step: its inputs, and the transfers that are still to come, which have an owner.
    reg [IN_W-1:0]  image;
    reg             offer;
    reg             given;
    reg [OUT_W-1:0] expected[0:MOST-1];
    reg [31:0]      owner   [0:MOST-1];
    integer         n_expected;
    integer         n_left;
    integer         silent;
    reg [31:0]      steps;
    reg [31:0]      random;

    integer c;
    integer i;

    vector_file u_file ();

    // Nothing is known about the unit if the file is damaged.
    task fail(input [8*64-1:0] why, input integer channel);
        reg whole;
        begin
            u_file.check(name, whole);
            if (!whole)
                $display("FAIL step %0d, cycle %0d: the vector file is damaged: its checksum is not right", steps, cycle);
            else if (channel < 0) $display("FAIL step %0d, cycle %0d: %0s", steps, cycle, why);
            else
                $display("FAIL step %0d, cycle %0d: transaction %0d of channel %0s: %0s", steps, cycle,
                         transfers[channel] + 1, channel_name[channel], why);
            failed = 1'b1;
        end
    endtask

    // The header ends at the word "steps".
    task read_header;
        integer         fields;
        reg [8*64-1:0]  title;
        reg [31:0]      valid;
        reg [31:0]      ready;
        begin
            n_channel = 0;
            word      = "";
            fields    = 1;
            while (fields == 1 && word != "steps") begin
                fields = $fscanf(file, "%s", word);
                if (fields == 1 && word == "channel" && n_channel < CHANNELS) begin
                    fields = $fscanf(file, "%d %s %s %d %d %h", number, word, title, valid, ready, data) == 6;
                    is_out[n_channel]       = word == "out";
                    channel_name[n_channel] = title;
                    valid_at[n_channel]     = valid;
                    ready_at[n_channel]     = ready;
                    mask[n_channel]         = data[OUT_W-1:0];
                    transfers[n_channel]    = 0;
                    n_channel               = n_channel + 1;
                end
            end
            if (fields != 1 || n_channel == 0) fail("no transactions in the file", -1);
        end
    endtask

    task read_line;
        if ($fscanf(file, "%s %d %h", word, number, data) != 3) word = "";
    endtask

    // Receivers are ready in three of four cycles (xorshift32, Marsaglia 2003).
    task draw_ready(output ready);
        begin
            random = random ^ (random << 13);
            random = random ^ (random >> 17);
            random = random ^ (random << 5);
            ready  = random[1:0] != 2'd0;
        end
    endtask

    task match(input integer channel);
        begin
            i = 0;
            while (i < n_expected && owner[i] != channel) i = i + 1;
            if (i == n_expected) fail("not expected in this step", channel);
            else if ((out & mask[channel]) !== expected[i]) begin
                want_out = (expected[i] & mask[channel]) | (out & ~mask[channel]);
                differs  = 1'b1;
                #1 fail("mismatch", channel);
            end else owner[i] = CHANNELS;
        end
    endtask

    task check_channel(input integer channel);
        reg moves;
        begin
            moves = is_out[channel] ? out[valid_at[channel]] & in[ready_at[channel]]
                                    : in[valid_at[channel]] & out[ready_at[channel]];
            if (moves === 1'bx) fail("its valid or ready is unknown", channel);
            else if (moves) begin
                if (is_out[channel]) match(channel);
                else given = 1'b1;
                transfers[channel] = transfers[channel] + 1;
                n_left = n_left - 1;
                silent = 0;
            end
        end
    endtask

    task one_cycle(input ready);
        begin
            @(negedge clk);
            rst = 1'b0;
            in  = given ? {IN_W{1'b0}} : image;
            for (c = 0; c < n_channel; c = c + 1)
                if (is_out[c]) begin
                    draw_ready(in[ready_at[c]]);
                    if (ready || !(offer || given)) in[ready_at[c]] = 1'b1;
                end
            #4;
            silent = silent + 1;
            for (c = 0; c < n_channel && !failed; c = c + 1) check_channel(c);
            given = given || !offer;
            if (!failed) cycle = cycle + 1;
        end
    endtask

    task reset_unit;
        begin
            @(negedge clk);
            rst = 1'b1;
            in  = {IN_W{1'b0}};
            for (c = 0; c < n_channel; c = c + 1) if (is_out[c]) in[ready_at[c]] = 1'b1;
            cycle = cycle + 1;
            read_line;
        end
    endtask

    // A step of an offer or levels, and the transfers that follow in the file.
    task read_step;
        begin
            offer      = word == "offer";
            image      = data[IN_W-1:0];
            given      = 1'b0;
            n_expected = 0;
            silent     = 0;
            read_line;
            while (word == "expect" && n_expected < MOST) begin
                owner[n_expected]    = number;
                expected[n_expected] = data[OUT_W-1:0];
                n_expected           = n_expected + 1;
                read_line;
            end
            n_left = n_expected + (offer ? 1 : 0);
        end
    endtask

    // What has not come; the offer itself comes before all of them.
    task fail_missing;
        begin
            i = 0;
            while (i < n_expected && owner[i] == CHANNELS) i = i + 1;
            if (offer && !given) fail("the offer is not taken for 10000 cycles", -1);
            else                 fail("does not come for 10000 cycles", owner[i]);
        end
    endtask

    task run_step;
        integer k;
        begin
            while (n_left > 0 && !failed) begin
                one_cycle(1'b0);
                if (silent == LIMIT && !failed) fail_missing;
            end
            for (k = 0; k < (offer ? rest : QUIET) && !failed; k = k + 1) one_cycle(1'b1);
        end
    endtask

    task finish;
        begin
            for (c = 0; c < n_channel; c = c + 1)
                if (transfers[c] == 0 && !failed) fail("no transaction in the whole file", c);
            if (failed) $stop;
            else begin
                $write("PASS %0d steps, %0d cycles, transactions", steps, cycle);
                for (c = 0; c < n_channel; c = c + 1) begin
                    if (c != 0) $write(",");
                    $write(" %0s %0d", channel_name[c], transfers[c]);
                end
                $write("\n");
                $finish;
            end
        end
    endtask

    initial begin
        clk       = 1'b0;
        rst       = 1'b0;
        in        = {IN_W{1'b0}};
        want_regs = {REG_W{1'b0}};
    end
    always #5 clk = !clk;

    initial begin : p_replay
        failed    = 1'b0;
        differs   = 1'b0;
        cycle     = 0;
        steps     = 0;
        n_channel = 0;
        random    = 32'd2463534242;
        file      = 0;
        if (!$value$plusargs("rest=%d", rest)) rest = 2000;
        if ($value$plusargs("vectors=%s", name)) file = $fopen(name, "r");
        if (file == 0) begin
            $display("FAIL: +vectors=FILE names no file that can be read");
            failed = 1'b1;
        end else read_header;
        if (!failed) read_line;
        while (!failed && (word == "reset" || word == "levels" || word == "offer")) begin
            steps = steps + 1;
            if (word == "reset") reset_unit;
            else begin
                read_step;
                run_step;
            end
        end
        if (!failed && (word != "total" || number != steps || steps == 0)) fail("steps are missing", -1);
        finish;
    end

endmodule

`default_nettype wire
