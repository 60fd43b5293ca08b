/** The contents of skills. Rules record which are installed and which agents have them. */
export const skills: Readonly<Record<string, readonly string[]>> = {
  '0012_skills': [
    `create table skill_versions (
      tenant text collate "C" not null,
      skill text collate "C" not null,
      version text collate "C" not null,
      manifest text not null,
      bytes int not null,
      created_ms bigint not null,
      primary key (tenant, skill, version)
    )`,
    `create table skill_files (
      tenant text collate "C" not null,
      skill text collate "C" not null,
      version text collate "C" not null,
      path text collate "C" not null,
      bytes int not null,
      is_text boolean not null,
      content bytea not null,
      primary key (tenant, skill, version, path),
      foreign key (tenant, skill, version) references skill_versions on delete cascade
    )`,
    // Contents of packed files do not get smaller, and a part of a file is read without the rest.
    `alter table skill_files alter column content set storage external`,
    // Agents that have a skill: their rules are named <agent>/<skill>.
    `create index rules_by_enabled_skill on rules (tenant, (split_part(name, '/', 2)), name)
      where kind = 'enabled-skill'`,
  ],
}
