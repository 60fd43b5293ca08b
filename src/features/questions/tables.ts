import type { Migrations, TableSpec } from '../../core/kernel/views/table-spec.ts'

// Columns that hold JSON are `text`, as everywhere in the schema.

export interface QuestionsTable {
  tenant: string
  id: string
  call_id: string
  status: string
  /** `kind:id` */
  principal: string
  agent: string | null
  session_id: string | null
  /** Fields that are never searched: title, text, schema, form, to, rhythm, default answer. */
  spec: string
  created_ms: number
  expires_ms: number
  /** When people are reminded next. */
  remind_ms: number | null
  reminders: number
  /** The answer or reason, and its author. */
  ending: string | null
  ended_ms: number | null
  /** Withdrawn, and not in the event log yet. */
  is_untold: boolean
}

/** The people of a question: those asked, and its caller. */
export interface QuestionPeopleTable {
  tenant: string
  question_id: string
  person: string
  /** That of the question. */
  status: string
}

export interface QuestionTables {
  questions: QuestionsTable
  question_people: QuestionPeopleTable
}

/** In the order in which the rows of a deleted tenant are removed. */
export const questionTables: readonly TableSpec<keyof QuestionTables>[] = [
  { name: 'question_people', key: ['tenant', 'question_id', 'person'], page: 1_000 },
  { name: 'questions', key: ['tenant', 'id'], page: 200 },
]

export const questionMigrations: Migrations = {
  '0047_questions': [
    `create table questions (
      tenant text collate "C" not null,
      id uuid not null,
      call_id uuid not null,
      status text not null check (status in
        ('pending', 'answered', 'declined', 'expired', 'withdrawn')),
      principal text collate "C" not null,
      agent text collate "C",
      session_id text collate "C",
      spec text not null,
      created_ms bigint not null,
      expires_ms bigint not null,
      remind_ms bigint,
      reminders int not null default 0,
      ending text,
      ended_ms bigint,
      is_untold boolean not null default false,
      primary key (tenant, id)
    )`,
    `create unique index questions_by_call on questions (tenant, call_id)`,
    `create index questions_by_status on questions (tenant, status, id)`,
    `create index questions_by_expiry on questions (expires_ms) where status = 'pending'`,
    `create index questions_by_reminder on questions (remind_ms)
      where status = 'pending' and remind_ms is not null`,
    `create index questions_untold on questions (tenant, id) where is_untold`,
    `create table question_people (
      tenant text collate "C" not null,
      question_id uuid not null,
      person text collate "C" not null,
      status text not null,
      primary key (tenant, question_id, person)
    )`,
    `create index question_people_by_status on question_people
      (tenant, person, status, question_id)`,
    `create function follow_question() returns trigger language plpgsql
      set search_path from current as $$
      begin
        update question_people set status = new.status
          where tenant = new.tenant and question_id = new.id;
        return null;
      end $$`,
    `create trigger follow_question after update of status on questions for each row
      when (old.status is distinct from new.status) execute function follow_question()`,
    // However its call ends, there is nothing left to answer: in the same transaction, so that no
    // list shows a question whose call is over. An answer closes its question before.
    `create function close_question() returns trigger language plpgsql
      set search_path from current as $$
      begin
        update questions set status = 'withdrawn', ended_ms = new.settled_ms, is_untold = true
          where tenant = new.tenant and call_id = new.id and status = 'pending';
        return null;
      end $$`,
    `create trigger close_question after update of status on calls for each row
      when (new.settled_ms is not null and new.tool = 'flow.ask')
      execute function close_question()`,
    `create function drop_question() returns trigger language plpgsql
      set search_path from current as $$
      begin
        delete from question_people p using questions q
          where q.tenant = old.tenant and q.call_id = old.id
            and p.tenant = q.tenant and p.question_id = q.id;
        delete from questions where tenant = old.tenant and call_id = old.id;
        return null;
      end $$`,
    `create trigger drop_question after delete on calls for each row
      when (old.tool = 'flow.ask') execute function drop_question()`,
  ],
}
