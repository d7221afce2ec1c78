// replay - replays a vector file on any unit. `gpusched-unit ports UNIT --format=bench` connects the unit.
//
// +vectors=FILE names the file; docs/conformance.md describes it. Inputs change on the
// falling edge; outputs are compared just before the rising edge with !==, so an X is a
// mismatch. Registers are compared too if CHECK_REGS is 1. At the first mismatch, differs
// rises, the bench names the ports that differ, and the run ends with $stop: a simulator that does not wait for a person
// then exits with a status other than 0 (vvp -N; Verilator). "PASS" is printed only if
// every vector matched and none is missing. Before it says that a vector does not match, it
// reads the file once more: if the checksum in the last line is not right, the file is damaged,
// and nothing is known about the unit.
//
// in, out and regs hold the ports one above the other, in the order of the file's
// header, which says at which bit each one is.

`default_nettype none

module replay #(
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

    reg [8*512-1:0] name;
    reg [8*64-1:0]  word;
    reg [IN_W-1:0]  next_in;
    reg             next_rst;
    reg             failed;
    integer         file;
    integer         fields;
    integer         total;

    vector_file u_file ();

    // Prints why the run fails; the main block then goes no further.
    task fail(input [8*64-1:0] why);
        begin
            $display("FAIL cycle %0d: %0s", cycle, why);
            failed = 1'b1;
        end
    endtask

    // A vector does not match or cannot be read.
    task fail_if_whole(input [8*64-1:0] why);
        reg whole;
        begin
            u_file.check(name, whole);
            if (whole) fail(why);
            else       fail("the vector file is damaged: its checksum is not right");
        end
    endtask

    // The header ends at the word "cycles".
    task skip_header;
        begin
            word   = "";
            fields = 1;
            while (fields == 1 && word != "cycles") fields = $fscanf(file, "%s", word);
            if (fields != 1) fail("no vectors in the file");
        end
    endtask

    task compare;
        begin
            if (out !== want_out || (CHECK_REGS != 0 && regs !== want_regs)) begin
                differs = 1'b1;
                #1 fail_if_whole("mismatch");
            end
        end
    endtask

    // Before the first vector the inputs are 0: a netlist would take an X into its memories.
    initial begin
        clk = 1'b0;
        rst = 1'b0;
        in  = {IN_W{1'b0}};
    end
    always #5 clk = !clk;

    initial begin : p_replay
        failed  = 1'b0;
        differs = 1'b0;
        cycle   = 0;
        fields = 0;
        file   = 0;
        if ($value$plusargs("vectors=%s", name)) file = $fopen(name, "r");
        if (file == 0) fail("+vectors=FILE names no file that can be read");
        else           skip_header;

        fields = 4;
        while (!failed && fields == 4) begin
            @(negedge clk);
            fields = $fscanf(file, "%h %h %h %h\n", next_rst, next_in, want_out, want_regs);
            if (fields == 4) begin
                rst = next_rst;
                in  = next_in;
                #4;
                // The state is unknown until the first reset edge.
                if (cycle != 0) compare;
                if (!failed) cycle = cycle + 1;
            end
        end

        if (!failed) begin
            total = -1;
            fields = $fscanf(file, "total %d", total);
            if (fields != 1 || total != cycle || cycle == 0) fail_if_whole("vectors are missing");
        end
        if (failed) $stop;
        else begin
            $display("PASS %0d cycles", cycle);
            $finish;
        end
    end

endmodule

// What is known of a vector file as a whole.
module vector_file;

    // The CRC-32 of one more byte.
    function [31:0] crc(input [31:0] sum, input [7:0] data);
        integer k;
        begin
            crc = sum ^ {24'd0, data};
            for (k = 0; k < 8; k = k + 1) crc = (crc >> 1) ^ (crc[0] ? 32'hedb88320 : 32'd0);
        end
    endfunction

    // Whether the last line, "total COUNT CRC32", has the checksum of all lines before it.
    task check(input [8*512-1:0] name, output whole);
        reg [31:0] sum;
        reg [31:0] want;
        integer    file;
        integer    data;
        integer    words;
        begin : p_lines
            file  = $fopen(name, "r");
            sum   = 32'hffffffff;
            want  = 32'd0;
            data  = $fgetc(file);
            while (data >= 0 && data != "t") begin
                while (data >= 0 && data != 10) begin
                    sum  = crc(sum, data[7:0]);
                    data = $fgetc(file);
                end
                sum  = crc(sum, 8'd10);
                data = $fgetc(file);
            end
            words = $fscanf(file, "otal %d %h", data, want);
            whole = words == 2 && want == ~sum;
            $fclose(file);
        end
    endtask

endmodule

`default_nettype wire
