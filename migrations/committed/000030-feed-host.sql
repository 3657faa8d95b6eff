--! Previous: sha1:d1c1a66324f2b612251f279fb8e4026f25be41ab
--! Hash: sha1:7a21904ef8ddd285d0dd989c47237b01b55ccde6
--! Message: feed-host

-- Whether other people follow a feed of a host that refuses is found without reading all channels. Two seconds at a million
-- follows, during which no channel can be followed.
create index channels_feed_host_idx on channels (lower(substring(rss_url from '^https?://(?:[^/?#]*@)?([^/?#]+)')));
