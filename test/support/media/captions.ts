/** Captions as sites write them. */

/** YouTube's own, of a machine: a cue shows the line before again, and names the time of each word; another one repeats the line alone. */
export const rolling = `WEBVTT
Kind: captions
Language: en

00:00:00.080 --> 00:00:02.470 align:start position:0%
 
today<00:00:00.320><c> we</c><00:00:00.480><c> bake</c><00:00:00.880><c> a</c><00:00:01.040><c> loaf</c>

00:00:02.470 --> 00:00:02.480 align:start position:0%
today we bake a loaf
 

00:00:02.480 --> 00:00:05.190 align:start position:0%
today we bake a loaf
of<00:00:02.720><c> sourdough</c><00:00:03.360><c> bread</c><00:00:04.000><c> &amp;</c><00:00:04.400><c> butter</c>

00:00:05.190 --> 00:00:05.200 align:start position:0%
of sourdough bread &amp; butter
 

00:00:05.200 --> 00:00:08.000 align:start position:0%
of sourdough bread &amp; butter
[Music]

00:00:08.000 --> 00:00:11.000 align:start position:0%
[Music]
the<00:00:08.320><c> crust</c><00:00:09.000><c> sings</c>
`
