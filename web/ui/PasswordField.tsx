import { Eye, EyeOff } from 'lucide-react'
import { useState, type ComponentProps } from 'react'
import { useText } from '../lib/i18n.tsx'
import { Button } from './Button.tsx'
import { Field } from './Field.tsx'
import { states } from '../messages/en/states.ts'

/** A password field with a button that shows the password. */
export function PasswordField(props: Omit<ComponentProps<typeof Field>, 'type' | 'inside'>) {
  const [shown, setShown] = useState(false)
  const text = useText({ states })
  const inside = (
    <Button
      tone="ghost"
      icon
      aria-label={shown ? text.hidePassword : text.showPassword}
      onClick={() => setShown(!shown)}
    >
      {shown ? <EyeOff className="i" /> : <Eye className="i" />}
    </Button>
  )
  return (
    <Field spellCheck={false} autoCapitalize="none" {...props} type={shown ? 'text' : 'password'} inside={inside} />
  )
}
