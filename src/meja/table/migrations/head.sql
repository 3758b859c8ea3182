-- The newest schema as the migrations make it, word for word (a test compares): new data begins with it, without
-- loading Alembic. After a new migration write down `sqlite3 meja.db .schema` of migrated data here.
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
CREATE TABLE tables (
	id VARCHAR(32) NOT NULL, 
	game VARCHAR(16) NOT NULL, 
	status VARCHAR(16) NOT NULL, 
	head INTEGER NOT NULL, 
	listed INTEGER NOT NULL, 
	summary TEXT NOT NULL, 
	created BIGINT NOT NULL, 
	changed BIGINT NOT NULL, 
	CONSTRAINT pk_tables PRIMARY KEY (id)
);
CREATE INDEX ix_tables_listed_status ON tables (listed, status);
CREATE INDEX ix_tables_changed ON tables (changed);
CREATE TABLE events (
	table_id VARCHAR(32) NOT NULL, 
	seq INTEGER NOT NULL, 
	actor VARCHAR(32) NOT NULL, 
	"key" VARCHAR(80) NOT NULL, 
	body BLOB NOT NULL, 
	at BIGINT NOT NULL, 
	CONSTRAINT pk_events PRIMARY KEY (table_id, seq), 
	CONSTRAINT uq_events_table_id_actor_key UNIQUE (table_id, actor, "key")
)
 WITHOUT ROWID;
CREATE TABLE members (
	person VARCHAR(32) NOT NULL, 
	table_id VARCHAR(32) NOT NULL, 
	CONSTRAINT pk_members PRIMARY KEY (person, table_id), 
	CONSTRAINT fk_members_table_id_tables FOREIGN KEY(table_id) REFERENCES tables (id) ON DELETE CASCADE
)
 WITHOUT ROWID;
CREATE TABLE people (
	id VARCHAR(32) NOT NULL, 
	name VARCHAR(64) NOT NULL, 
	recovery VARCHAR(64), 
	created BIGINT NOT NULL, 
	seen BIGINT NOT NULL, 
	CONSTRAINT pk_people PRIMARY KEY (id), 
	CONSTRAINT uq_people_recovery UNIQUE (recovery)
);
CREATE TABLE sessions (
	token VARCHAR(64) NOT NULL, 
	person VARCHAR(32) NOT NULL, 
	created BIGINT NOT NULL, 
	seen BIGINT NOT NULL, 
	CONSTRAINT pk_sessions PRIMARY KEY (token), 
	CONSTRAINT fk_sessions_person_people FOREIGN KEY(person) REFERENCES people (id) ON DELETE CASCADE
)
 WITHOUT ROWID;
CREATE INDEX ix_sessions_person ON sessions (person);
CREATE TABLE records (
	table_id VARCHAR(32) NOT NULL, 
	game VARCHAR(16) NOT NULL, 
	body BLOB NOT NULL, 
	at BIGINT NOT NULL, 
	CONSTRAINT pk_records PRIMARY KEY (table_id)
);
