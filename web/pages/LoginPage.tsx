import { Link, useLocation } from 'react-router'
import { LoginForm } from '../features/session/LoginForm.tsx'
import { useText } from '../lib/i18n.tsx'
import { paths } from '../lib/paths.ts'
import back from '../pictures/balloons-900.webp'
import photo from '../pictures/topper-720.webp'
import { AuthLayout } from './AuthLayout.tsx'
import { session } from '../messages/en/session.ts'

export function LoginPage() {
  const text = useText({ session }).login
  const { search } = useLocation()
  return (
    <AuthLayout title={text.title} heading={text.heading} side={{ back, photo, sample: 'topper' }}>
      <LoginForm />
      <p className="small muted">
        {text.newHere}{' '}
        <Link className="link" to={paths.register + search}>
          {text.register}
        </Link>
      </p>
    </AuthLayout>
  )
}
