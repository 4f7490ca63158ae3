import { brokenRules, passwordRules, passwordScore } from '@keepsnap/contract/passwords.ts'
import { Check } from 'lucide-react'
import { useText } from '../lib/i18n.tsx'
import './password.css'
import { session } from '../messages/en/session.ts'

/** Strength meter and rules of a new password (docs/behaviour.md section 5). The field refers to `id` as its description. */
export function PasswordRules({ password, id }: { password: string; id: string }) {
  const text = useText({ session })
  const broken = brokenRules(password)
  const score = passwordScore(password)
  return (
    <>
      <div className="meter" data-score={password && score}>
        <span className="meter__b" aria-hidden="true">
          <i />
          <i />
          <i />
          <i />
        </span>
        <span className="small">
          {text.strength} <output>{password && text.strengthLabels[score]}</output>
        </span>
      </div>
      <ul className="rules" id={id}>
        {passwordRules.map((rule) => (
          <li key={rule} data-ok={!broken.includes(rule)}>
            <Check className="i" />
            <span className="sr">{broken.includes(rule) ? text.ruleNotMet : text.ruleMet}</span>
            {text.rules[rule]}
          </li>
        ))}
      </ul>
    </>
  )
}
