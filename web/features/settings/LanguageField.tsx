import { useText } from '../../lib/i18n.tsx'
import { languages } from '../../messages/en/languages.ts'
import { LanguageLinks } from '../../ui/LanguageLinks.tsx'

/** The language of the pages and of emails to the user. */
export function LanguageField() {
  const text = useText({ languages })
  return (
    <div className="field">
      {/* The name of the group of links. */}
      <span className="label" aria-hidden="true">
        {text.label}
      </span>
      <LanguageLinks />
      <p className="tiny muted">{text.hint}</p>
    </div>
  )
}
