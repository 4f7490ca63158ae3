import type { account as english } from '../en/account.ts'

/** The account itself, on the profile and settings pages. */
export const account: typeof english = {
  title: 'Paramètres',
  heading: 'Paramètres',
  sections: 'Rubriques des paramètres',
  profileTitle: 'Votre profil',
  edit: 'Modifier le profil',
  username: 'Nom d’utilisateur',
  email: 'E-mail',
  tier: 'Type d’abonnement',
  tiers: { free: 'Free', pro: 'Pro' },
  genericError: 'Une erreur s’est produite. Veuillez réessayer.',
  plan: { name: 'Abonnement' },
  profile: {
    name: 'Profil',
    lead: 'Les informations de votre compte. Vos invités ne voient que le nom de marque.',
    save: 'Enregistrer',
    username: {
      label: 'Nom d’utilisateur',
      hint: 'Visible uniquement par vous et les exploitants de ce site.',
      saved: 'Nom d’utilisateur enregistré',
      failed: 'Le nom d’utilisateur n’a pas pu être enregistré. Veuillez réessayer.',
    },
    brandName: {
      label: 'Nom de marque (facultatif)',
      hint: 'Vos invités le voient dans les e-mails avec vos photos.',
      afterConfirming: 'Il sera utilisé dès que votre adresse e-mail sera confirmée.',
      saved: 'Nom de marque enregistré',
      failed: 'Le nom de marque n’a pas pu être enregistré. Veuillez réessayer.',
    },
    timeZone: {
      label: 'Fuseau horaire',
      hint: 'Pour les heures indiquées dans les e-mails, le nom des photos que vos invités enregistrent et les soirées de la galerie et des statistiques.',
      server: 'Celui du serveur',
      saved: 'Fuseau horaire enregistré',
      failed: 'Le fuseau horaire n’a pas pu être enregistré. Veuillez réessayer.',
    },
    verified: 'Confirmée',
    unverified:
      'Cette adresse n’est pas encore confirmée. Cliquez sur le lien de l’e-mail que nous avons envoyé, ou demandez-en un nouveau.',
    resend: 'Renvoyer l’e-mail',
    resent: (email) => `Nous avons envoyé un e-mail à ${email}.`,
    change: 'Changer d’adresse',
  },
  changeEmail: {
    title: 'Changer d’adresse e-mail',
    lead: 'Nous envoyons un lien de confirmation à la nouvelle adresse. L’adresse actuelle reste valable jusqu’à ce que vous cliquiez dessus.',
    email: 'Nouvelle adresse e-mail',
    emailNeeded: 'Veuillez indiquer une adresse e-mail, par exemple nom@example.com.',
    emailSame: 'C’est déjà votre adresse.',
    password: 'Votre mot de passe',
    passwordNeeded: 'Veuillez saisir votre mot de passe.',
    submit: 'Envoyer le lien',
    sent: (email) =>
      `Nous avons envoyé un e-mail à ${email}. Votre adresse changera quand vous cliquerez sur le lien qu’il contient.`,
  },
}
