create table deployment (
    id bigint generated always as identity primary key,
    server varchar not null,
    version varchar not null,
    state varchar not null,
    fencing_token bigint not null,
    started_at timestamp with time zone not null default current_timestamp,
    ended_at timestamp with time zone
);

create table account (
    id varchar primary key,
    balance decimal(12, 2) not null
);

insert into account (id, balance) values ('alice', 100), ('bob', 100);
