--! Previous: sha1:6970648e7b82fa96d56dcdde35a432b42ad98d09
--! Hash: sha1:82aef079ff844d3280b0f0211732b5913c18d099
--! Message: feed-host

-- Whether other people follow a feed of a host that refuses is found without reading all channels. Two seconds at a million
-- follows, during which no channel can be followed.
create index channels_feed_host_idx on channels (lower(substring(rss_url from '^https?://(?:[^/?#]*@)?([^/?#]+)')));
