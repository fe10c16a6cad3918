// The style sheet has colours for the dark, and nothing that chooses them.
const dark = matchMedia('(prefers-color-scheme: dark)');
const choose = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', choose);
choose();

/** Successes as they come; of refusals, which all have one body, a line that opens. */
const foldedRefusals = ({ React, getComponent }) => ({
  wrapComponents: {
    response: (Response) =>
      function FoldedResponse(props) {
        const [isOpen, open] = React.useState(false);
        const { code, response } = props;
        const Markdown = getComponent('Markdown', true);
        if (isOpen || !/^[45]/.test(code)) return React.createElement(Response, props);
        const toggle = { type: 'button', className: 'toggle', title: 'Show its body', onClick: () => open(true) };
        return React.createElement(
          'tr',
          { className: 'response', 'data-code': code },
          React.createElement('td', { className: 'refusal' }, React.createElement('button', toggle, code)),
          React.createElement(
            'td',
            { className: 'refusal' },
            React.createElement(Markdown, { source: response.get('description') }),
          ),
        );
      },
  },
});

/** While developing, the server gives a browser on its own machine a token of each role; else there is nothing to show. */
async function offerLogin(ui) {
  const answer = await fetch('tokens');
  if (!answer.ok) return;
  const roles = document.getElementById('roles');
  const status = document.getElementById('logged-in');
  for (const { role, sub, token } of await answer.json()) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = role.replace('ROLE_', '').replaceAll('_', ' ').toLowerCase();
    button.addEventListener('click', () => {
      ui.preauthorizeApiKey('bearer', token);
      for (const each of roles.children) each.setAttribute('aria-pressed', String(each === button));
      status.textContent = `logged in as ${sub}`;
    });
    roles.append(button);
  }
  document.getElementById('login').hidden = false;
}

const ui = SwaggerUIBundle({
  url: '../openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  // The default asks a public validator about documents that are not served from localhost.
  validatorUrl: 'none',
  persistAuthorization: false,
  defaultModelsExpandDepth: 0,
  docExpansion: 'list',
  plugins: [foldedRefusals],
  onComplete: () => void offerLogin(ui),
});
