#!/bin/sh
# Runs once, when the database is made: an owner for tables and jobs, a login for the web that owns nothing.
set -eu
psql -v ON_ERROR_STOP=1 -v owner_password="$OWNER_PASSWORD" -v web_password="$WEB_PASSWORD" -U postgres -d postgres <<'SQL'
CREATE ROLE hearthbook LOGIN NOSUPERUSER NOCREATEROLE NOBYPASSRLS CREATEDB PASSWORD :'owner_password';
CREATE ROLE hearthbook_web LOGIN NOSUPERUSER NOCREATEROLE NOBYPASSRLS PASSWORD :'web_password';
ALTER ROLE hearthbook_web SET transaction_timeout = '60s';
ALTER ROLE hearthbook_web SET statement_timeout = '60s';
ALTER ROLE hearthbook_web SET idle_in_transaction_session_timeout = '30s';
CREATE DATABASE hearthbook OWNER hearthbook;
REVOKE ALL ON DATABASE hearthbook FROM PUBLIC;
GRANT CONNECT ON DATABASE hearthbook TO hearthbook_web;
\connect hearthbook
CREATE EXTENSION vector;
GRANT USAGE ON SCHEMA public TO hearthbook_web;
ALTER DEFAULT PRIVILEGES FOR ROLE hearthbook GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO hearthbook_web;
ALTER DEFAULT PRIVILEGES FOR ROLE hearthbook GRANT USAGE, SELECT ON SEQUENCES TO hearthbook_web;
GRANT pg_checkpoint TO hearthbook;
GRANT EXECUTE ON FUNCTION pg_switch_wal(), pg_ls_waldir(), pg_ls_tmpdir() TO hearthbook;
GRANT EXECUTE ON FUNCTION pg_ls_dir(text), pg_stat_file(text, boolean), pg_reload_conf() TO hearthbook;
GRANT ALTER SYSTEM ON PARAMETER wal_recycle TO hearthbook;
GRANT SET ON PARAMETER log_min_messages, log_error_verbosity, log_min_error_statement TO hearthbook;
GRANT SET ON PARAMETER log_parameter_max_length, log_parameter_max_length_on_error TO hearthbook;
GRANT SET ON PARAMETER log_statement, log_min_duration_statement TO hearthbook;
SQL
