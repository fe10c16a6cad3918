/**
 * Sends the code from the address's fragment, and takes it out of the address and the history. Runs in browsers as it
 * stands, therefore plain and old words.
 */
export const entryScript = `(function () {
  'use strict';
  var form = document.getElementById('entry');
  try {
    document.getElementById('zone').value = Intl.DateTimeFormat().resolvedOptions().timeZone || '';
  } catch (error) {
    // Without a zone the pages show UTC.
  }
  var send = function () {
    var code = location.hash.slice(1);
    if (code === '') return;
    history.replaceState(null, '', location.pathname);
    document.getElementById('code').value = code;
    form.submit();
  };
  window.addEventListener('hashchange', send);
  send();
})();
`;
