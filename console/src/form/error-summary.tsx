import { useForm, useFormState, fieldId } from './form-context.ts'
import { focusSoon } from './focus-field.ts'
import { placeName } from './model/place/place-name.ts'
import styles from './form.module.css'

const maxListed = 10

/** All issues above the form: how many, which, and a link to each. */
export function ErrorSummary() {
  const { store } = useForm()
  const issues = useFormState(store, (state) => state.issues)
  const mode = useFormState(store, (state) => state.mode)
  if (issues.length === 0) return null
  const places = issues.filter(({ pointer }) => pointer !== '').length
  return (
    <div className={styles.summary} role="alert" id={`${store.id}-summary`} tabIndex={-1}>
      <strong>{describeCount(places, issues.length)}</strong>
      <ul>
        {issues.slice(0, maxListed).map(({ pointer, message }) => (
          <li key={pointer + message}>
            {pointer === '' || mode === 'json' ? (
              <span dir="auto">
                {pointer !== '' && <code>{pointer} </code>}
                {message}
              </span>
            ) : (
              <a
                href={`#${fieldId(store, pointer)}`}
                dir="auto"
                onClick={(event) => {
                  event.preventDefault()
                  focusIssue(store.id, pointer)
                }}
              >
                {placeName(store.model, store.state(), pointer)}: {message}
              </a>
            )}
          </li>
        ))}
      </ul>
      {issues.length > maxListed && <span>And {issues.length - maxListed} more.</span>}
    </div>
  )
}

/** The field itself, else the nearest that contains it, else the summary. */
export function focusIssue(formId: string, pointer: string): void {
  const ids: string[] = []
  for (let at = pointer; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) ids.push(formId + at)
  focusSoon(...ids, `${formId}-json`, `${formId}-summary`)
}

function describeCount(places: number, all: number): string {
  if (places === 0) return all === 1 ? 'This can’t be sent yet' : `${all} things need attention`
  return places === 1 ? '1 field needs attention' : `${places} fields need attention`
}
