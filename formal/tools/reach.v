// SPDX-License-Identifier: Apache-2.0
// A cover statement as an assertion that it is never reached, for engines that know assertions only.
(* techmap_celltype = "$cover" *)
module reach_cover (A, EN);
    input A;
    input EN;
    \$assert never (.A(!A), .EN(EN));
endmodule
