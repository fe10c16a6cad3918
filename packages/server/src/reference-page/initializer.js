/* global SwaggerUIBundle */
SwaggerUIBundle({
  url: '../openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  // The default asks a public validator about documents that are not served from localhost.
  validatorUrl: 'none',
  persistAuthorization: false,
  defaultModelsExpandDepth: 0,
  docExpansion: 'list',
});
