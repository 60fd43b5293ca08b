import type {
  SkillChange,
  SkillDetail,
  SkillListing,
  SkillPin,
  SkillReceipt,
} from '../../../../features/skills/schemas.ts'
import { toShortVersion } from '../../../../features/skills/model.ts'
import { counted } from '../../output/counted.ts'
import { toSafeLine } from '../../output/safe-text.ts'
import type { Screen } from '../../output/screen.ts'
import { showTable } from '../../output/table.ts'

/** The installed skills. */
export function showSkills(screen: Screen, skills: readonly SkillListing[]): void {
  showTable(screen, {
    columns: [
      { title: 'skill', shrinkTo: 12, style: (cell) => screen.style('cyan', cell) },
      { title: 'version' },
      { title: 'kept' },
      { title: 'from' },
      { title: 'description', shrinkTo: 16 },
    ],
    rows: skills.map((skill) => [
      toSafeLine(skill.name),
      shortOf(skill.version),
      String(skill.versions),
      skill.isDeclared ? 'configuration' : toSafeLine(byOf(skill.installedBy)),
      toSafeLine(skill.description),
    ]),
  })
}

/** The skills of an agent. */
export function showPins(screen: Screen, agent: string, pins: readonly SkillPin[]): void {
  if (pins.length === 0) {
    screen.out(
      `${toSafeLine(agent)} has no skills. → toolcrib skills enable NAME --agent ${toSafeLine(agent)}`,
    )
    return
  }
  showTable(screen, {
    columns: [
      { title: 'skill', shrinkTo: 12, style: (cell) => screen.style('cyan', cell) },
      { title: 'version' },
      { title: 'since' },
      { title: 'by', shrinkTo: 8 },
    ],
    rows: pins.map((pin) => [
      toSafeLine(pin.name),
      shortOf(pin.version),
      dayOf(pin.enabledAt),
      toSafeLine(byOf(pin.enabledBy)),
    ]),
  })
}

/** One skill without the content of its files. */
export function showSkill(screen: Screen, skill: SkillDetail): void {
  const { manifest } = skill
  screen.out(`${screen.style('bold', toSafeLine(skill.name))} ${shortOf(skill.version)}`)
  screen.out(toSafeLine(skill.description))
  screen.out('')
  screen.out(`requires   ${toSafeLine(manifest.tools.join(' ')) || 'no tools'}`)
  screen.out(`in force   ${toSafeLine(allowedWords(manifest.permissions))}`)
  for (const tool of skill.unknownTools) screen.out(`! ${toSafeLine(tool)} is not available`)
  for (const file of skill.files)
    screen.out(`file       ${toSafeLine(file.path)} (${file.bytes} bytes)`)
  for (const user of skill.enabledBy) {
    screen.out(`agent      ${toSafeLine(user.agent)} has ${shortOf(user.version)}`)
  }
  for (const version of skill.versions) {
    const by = toSafeLine(byOf(version.installedBy))
    screen.out(`version    ${shortOf(version.version)} of ${dayOf(version.installedAt)} by ${by}`)
  }
  screen.out('')
  for (const line of skill.instructions.split('\n')) screen.out(toSafeLine(line))
}

/** The result of an installation. */
export function showReceipt(screen: Screen, receipt: SkillReceipt): void {
  const what = receipt.isNew ? 'is installed' : 'was already installed'
  const size = `${counted(receipt.files, 'file')}, ${counted(receipt.bytes, 'byte')}`
  screen.out(
    `${screen.style('green', '✓')} ${toSafeLine(receipt.name)} ${shortOf(receipt.version)} ${what} (${size})`,
  )
  for (const warning of receipt.warnings) screen.err(`! ${toSafeLine(warning)}`)
  for (const tool of receipt.unknownTools)
    screen.err(`! It requires ${toSafeLine(tool)}, which is not available`)
  if (receipt.dropped.length > 0) {
    screen.err(`! Removed old versions without an agent: ${receipt.dropped.map(shortOf).join(' ')}`)
  }
  screen.out(`→ toolcrib skills enable ${toSafeLine(receipt.name)} --agent AGENT`)
}

/** The effect of a change on an agent, made or planned. */
export function showChange(screen: Screen, change: SkillChange): void {
  const { agent, skill, version, previous, grants, isDryRun } = change
  const name = toSafeLine(skill)
  const from =
    previous === undefined || previous === version ? '' : ` instead of ${shortOf(previous)}`
  const what =
    version === undefined
      ? `${isDryRun ? 'would lose' : 'has lost'} ${name}`
      : `${isDryRun ? 'would have' : 'has'} ${name} ${shortOf(version)}${from}`
  const mark = isDryRun ? screen.style('yellow', '?') : screen.style('green', '✓')
  screen.out(`${mark} ${toSafeLine(agent)} ${what}`)
  for (const pattern of grants.added)
    screen.out(`  ${screen.style('green', '+')} ${toSafeLine(pattern)}`)
  for (const pattern of grants.removed)
    screen.out(`  ${screen.style('red', '-')} ${toSafeLine(pattern)}`)
  for (const pattern of grants.kept) {
    screen.out(`  = ${toSafeLine(pattern)} is kept: another source grants it`)
  }
  for (const tool of change.unknownTools) screen.err(`! ${toSafeLine(tool)} is not available`)
}

function allowedWords(permissions: SkillDetail['manifest']['permissions']): string {
  if (permissions === undefined) return 'no tools: it names no permissions'
  const { profile, allow = [], deny = [] } = permissions
  const parts = [
    ...(profile === undefined ? [] : [`profile ${profile}`]),
    ...(allow.length === 0 ? [] : [`only ${allow.join(' ')}`]),
    ...(deny.length === 0 ? [] : [`never ${deny.join(' ')}`]),
  ]
  return parts.join(', ') || 'no tools'
}

function shortOf(version: string): string {
  return toSafeLine(toShortVersion(version))
}

function byOf({ kind, id }: { kind: string; id: string }): string {
  return `${kind}:${id}`
}

function dayOf(time: string): string {
  return toSafeLine(time.slice(0, 10))
}
