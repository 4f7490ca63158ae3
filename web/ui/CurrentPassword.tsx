import { PasswordField } from './PasswordField.tsx'

interface Props {
  label: string
  name: string
  value: string
  error: string | undefined
  onChange: (value: string) => void
}

/** The password that an account has now, asked for before something that nobody else may do. */
export const CurrentPassword = ({ onChange, ...field }: Props) => (
  <PasswordField
    {...field}
    autoComplete="current-password"
    required
    onChange={({ target }) => onChange(target.value)}
  />
)
