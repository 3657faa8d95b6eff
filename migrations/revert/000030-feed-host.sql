drop index channels_feed_host_idx;
