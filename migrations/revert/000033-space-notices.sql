insert into notifications (user_id, event, details)
select user_id, 'space', '{"sent": true}'
from   space_notices
where  not exists (select from notifications noted where noted.user_id = space_notices.user_id and noted.event = 'space');
drop table space_notices;
