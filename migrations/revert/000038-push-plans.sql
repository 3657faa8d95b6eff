drop index channels_unplanned_idx;
drop index push_subscriptions_callbacks_idx;
drop index push_subscriptions_hub_idx;
drop index push_subscriptions_ending_idx;
drop index push_subscriptions_slowed_idx;
drop index push_subscriptions_lease_idx;
alter table push_subscriptions drop column fruitless;
