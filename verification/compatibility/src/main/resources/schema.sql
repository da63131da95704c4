create table if not exists account (id varchar primary key, balance decimal not null);
insert into account select 'till', 0 where not exists (select 1 from account where id = 'till');
