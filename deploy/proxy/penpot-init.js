// Runs in Penpot at every activate that makes a connection. Put here what your skill used to ask the model to run.
return { page: penpot.currentPage?.name ?? null, file: penpot.currentFile?.name ?? null };
