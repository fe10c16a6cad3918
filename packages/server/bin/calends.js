#!/usr/bin/env node
// In the repository, where npm links commands before anything is built; what it starts is made by the build.
import '../dist/cli.js';
