"""The sub-commands of ``meja``, a module each: ``add_arguments(parser)`` and ``run(args, language)``."""
